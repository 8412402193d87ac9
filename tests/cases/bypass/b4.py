# FAIL 1: exec %
#
# A way out that does not lead out (B4, R3-30).
import socket; socket.socket()
