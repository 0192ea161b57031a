/** Starts the server whose file is named first, from modules that were compiled before: clients of others hand no variables down. */
import { enableCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'

enableCompileCache()
const [file = ''] = process.argv.splice(2, 1)
await import(pathToFileURL(file).href)
