"""What PyCUDA shares with PyOpenCL, under the names that programs import it by."""
