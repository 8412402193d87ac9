﻿# marks of byte order, one too many, and in the middle
x﻿ = 1
'﻿'
⟦﻿⟧9000