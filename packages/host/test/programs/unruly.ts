/**
 * A server that lists its tool like any other, and does its worst when it is called, or asked to end:
 * `unruly.ts hang|flood|crash|stubborn|daemon`.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const worst = process.argv[2]
const tool = { name: 'misbehave', description: 'Does its worst', inputSchema: { type: 'object' } }

const send = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id: unknown, result: object): boolean => send({ id, result })

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    const { protocolVersion } = params
    const capabilities = { tools: {}, logging: {} }
    answer(id, { protocolVersion, capabilities, serverInfo: { name: 'unruly', version: '1.0.0' } })
  } else if (method === 'tools/list') answer(id, { tools: [tool] })
  else if (method === 'tools/call') misbehave()
  else if (method === 'ping' || method === 'logging/setLevel') answer(id, {})
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'no such method' } })
})

const loop = 'trap "" TERM; while :; do sleep 1; done'
if (worst === 'stubborn') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1_000)
  spawn('sh', ['-c', loop], { stdio: 'ignore' })
}
if (worst === 'daemon') spawn('sh', ['-c', loop], { stdio: 'ignore', detached: true }).unref()

function misbehave(): void {
  if (worst === 'crash') process.exit(9)
  if (worst === 'flood') flood()
}

/** Writes as much as the other side takes, on both outputs, for as long as it takes it. */
function flood(): void {
  process.stderr.write(`${'e'.repeat(1_000)}\n`)
  const data = 'x'.repeat(10_000)
  let isTaken = true
  for (let count = 0; count < 100 && isTaken; count += 1) {
    isTaken = send({ method: 'notifications/message', params: { level: 'error', data } })
    process.stdout.write('this is no message\n')
    send({ id: `nobody-${count}`, result: {} })
  }
  if (isTaken) setImmediate(flood)
  else process.stdout.once('drain', flood)
}
