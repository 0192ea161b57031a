import { port } from '../../program/setting.ts'
import { upstreamProgram } from '../../program/upstream.ts'
import { runCommand } from './run-command.ts'

await runCommand('mcp-proxy', [
  ...['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'],
  ...[process.execPath, upstreamProgram],
])
