def sign(a):
	if a < 0:
		return -1
	return 1
