"""What the Array API standard asks for beside its functions: names of its own, and inspection."""
