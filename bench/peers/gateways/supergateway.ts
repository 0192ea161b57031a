import { port } from '../../program/setting.ts'
import { upstreamProgram } from '../../program/upstream.ts'
import { runCommand } from './run-command.ts'

await runCommand('supergateway', [
  ...['--stdio', `${process.execPath} ${upstreamProgram}`, '--port', String(port), '--logLevel', 'none'],
  ...['--outputTransport', 'streamableHttp', '--streamableHttpPath', '/mcp', '--stateful'],
])
