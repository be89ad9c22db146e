"""A tensor library of your own: memory, strides, arrays, a backend, gradients, training. One file for each chapter of the course."""
