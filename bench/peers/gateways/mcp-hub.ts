import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { port, upstreamUrl } from '../../program/setting.ts'
import { upstreamProgram } from '../../program/upstream.ts'
import { runCommand } from './run-command.ts'

const file = join(mkdtempSync(join(tmpdir(), 'mcp-hub-')), 'servers.json')
const program = { command: process.execPath, args: [upstreamProgram], env: { TOOLS: process.env.TOOLS ?? '1' } }
const bench = upstreamUrl === undefined ? program : { url: upstreamUrl }
writeFileSync(file, JSON.stringify({ mcpServers: { bench } }))

await runCommand('mcp-hub', ['--port', String(port), '--config', file])
