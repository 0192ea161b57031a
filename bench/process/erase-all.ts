import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eraseFolder } from './erase.ts'
import { benchFolder, cacheFolder, projectFolder } from './places.ts'

// a program of its own, so that the warning about erasing types can be switched off for it alone
const library = join(cacheFolder, 'node_modules', '@trunkline', 'mcp')

rmSync(cacheFolder, { recursive: true, force: true })
mkdirSync(library, { recursive: true })
writeFileSync(join(cacheFolder, 'package.json'), '{ "type": "module" }\n')
for (const folder of ['wire', 'program', 'probe', 'raw', 'trunkline', 'peers'])
  eraseFolder(join(benchFolder, folder), join(cacheFolder, folder))
// modules that users do not import themselves are measured as they stand in the sources
eraseFolder(join(projectFolder, 'packages', 'mcp', 'src'), join(cacheFolder, 'source'))
// the host is not built: its sources, as they stand, are what its users run
const host = join(cacheFolder, 'node_modules', '@trunkline', 'host')
eraseFolder(join(projectFolder, 'packages', 'host', 'src'), join(host, 'src'))
writeFileSync(join(host, 'package.json'), '{ "type": "module", "exports": { ".": "./src/index.js" } }\n')
for (const store of ['redis', 'postgres']) {
  const stores = join(cacheFolder, 'node_modules', '@trunkline', store)
  eraseFolder(join(projectFolder, 'packages', 'stores', store, 'src'), stores)
  writeFileSync(join(stores, 'package.json'), '{ "type": "module", "exports": { ".": "./index.js" } }\n')
}
// ours is measured as its users get it
cpSync(join(projectFolder, 'packages', 'mcp', 'dist'), library, { recursive: true })
