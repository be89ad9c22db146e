"""Where parameters and samples may lie, and how they are given."""
