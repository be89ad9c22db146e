"""Starting the processes of a job, and watching them."""
