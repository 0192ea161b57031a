#!/usr/bin/env node
/** Serves the code of directories: `trunkline-code [directory…] [--language …] [--accept …]`. */
import { serveFromCommandLine } from '@trunkline/mcp'
import { codeServer } from './code-server.ts'
import { readCommandLine, usage } from './command-line.ts'

try {
  const { options, rest } = readCommandLine(process.argv.slice(2), process.cwd())
  if (rest.includes('--help') || rest.includes('-h')) console.log(usage)
  await using code = await codeServer(options)
  await serveFromCommandLine(code.server, { args: rest })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
