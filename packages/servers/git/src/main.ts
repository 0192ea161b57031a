#!/usr/bin/env node
/** Serves repositories: `trunkline-git [--read-only] [directory…]`, the current one unless others are named. */
import { serveFromCommandLine } from '@trunkline/mcp'
import { gitServer } from './git-server.ts'

const words = process.argv.slice(2)
const isFlag = (word: string) => word.startsWith('-')
// a value of a flag stands behind it, so that only what stands before every flag of the library is a directory
const firstFlag = words.findIndex((word) => isFlag(word) && word !== '--read-only')
const own = firstFlag < 0 ? words : words.slice(0, firstFlag)
const directories = own.filter((word) => word !== '--read-only')

try {
  const git = await gitServer({
    directories: directories.length === 0 ? [process.cwd()] : directories,
    readOnly: words.includes('--read-only'),
  })
  const args = (firstFlag < 0 ? [] : words.slice(firstFlag)).filter((word) => word !== '--read-only')
  await serveFromCommandLine(git, { args })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
