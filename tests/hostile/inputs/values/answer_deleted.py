# Deletes the answer that is looked at after each script
answer['ready'] = True
del answer
