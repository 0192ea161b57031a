import { serveStdio } from './definition.ts'

await serveStdio()
