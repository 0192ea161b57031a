// the raw loop in a process that has loaded zod, as every contestant's has: what is left is the library's own
import 'zod'
import './stdio.ts'
