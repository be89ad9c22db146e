"""The same items in other shapes and places: views, joins, splits, margins."""
