import { registerHooks } from 'node:module'

// prints how many files the import of an entry loads
let files = 0
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) files += 1
    return nextLoad(url, context)
  },
})
await import(process.env.ENTRY ?? '')
process.stdout.write(String(files))
process.exit(0)
