/** Starts the server that is named first, from modules that were compiled before. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const [name] = process.argv.splice(2, 1)
await import(`./${name}.ts`)
