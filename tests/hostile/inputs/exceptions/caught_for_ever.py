# Catches whatever comes, in layers, and goes on with the same
def layer(n):
    while True:
        try:
            if n:
                layer(n - 1)
            while True:
                pass
        except BaseException as error:
            print(error)
        except:
            continue
        else:
            continue
        finally:
            if n < 50:
                continue
layer(50)
