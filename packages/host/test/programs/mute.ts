/** A server that opens like any other and then answers nothing more, or every second ping: `mute.ts [stateless|now-and-then]`. */
import { createInterface } from 'node:readline'

const isStateless = process.argv[2] === 'stateless'
const isMuteNowAndThen = process.argv[2] === 'now-and-then'
let isOpen = false
let pings = 0
const answer = (id: unknown, more: object) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }))
const serverInfo = { name: 'mute', version: '1.0.0' }

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'server/discover' && isStateless && !isOpen) {
    isOpen = true
    const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    answer(id, { result: { ...common, supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo } })
  }
  if (isStateless) return
  if (method === 'server/discover') answer(id, { error: { code: -32601, message: 'no such method' } })
  if (method === 'ping' && isMuteNowAndThen) {
    pings += 1
    console.error(`ping ${pings}`)
    if (pings % 2 === 0) answer(id, { result: {} })
  }
  if (method !== 'initialize') return
  const { protocolVersion } = params
  answer(id, { result: { protocolVersion, capabilities: {}, serverInfo } })
})
