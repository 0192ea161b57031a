/** Lists the tools of a program over stdio and checks nothing: what any command has to do at least. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const clientInfo = { name: 'raw', version: '1.0.0' }

send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
for await (const line of createInterface(child.stdout)) {
  const { id, result } = JSON.parse(line)
  if (id === 1) {
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/list' })
  } else {
    console.log(JSON.stringify(result, undefined, 2))
    child.stdin.end()
  }
}
