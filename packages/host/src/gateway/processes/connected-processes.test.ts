import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { processTables } from '../../store/tables/caller-process-table.ts'
import { ConnectedProcesses } from './connected-processes.ts'

/** Connects, and on command starts a process that connects too; ends with its connection. */
const program = `const { connect } = require('node:net')
const [port] = process.argv.slice(1)
const child = 'require("node:net").connect(' + port + ', "127.0.0.1").resume()'
connect(Number(port), '127.0.0.1').once('data', () => {
  require('node:child_process').spawn(process.execPath, ['-e', child], { stdio: 'ignore' })
}).resume()`

it('ConnectedProcesses: a process that one of a principal starts under another name inherits from that principal', {
  skip: lacking('linux', process.platform === 'linux'),
}, async () => {
  using folder = temporaryFolder()
  await using store = openStore({ path: join(folder.path, 'a.db'), rooms: [processTables] })
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // before the server, which waits for them
  using sockets = new DisposableStack()
  const inherited: [string, readonly string[]][] = []
  const inherit = async (heir: string, ancestors: ReadonlySet<string>) => void inherited.push([heir, [...ancestors]])
  const processes = new ConnectedProcesses(store, { servers: { pids: new Set() }, taints: { inherit } })
  const { port } = server.address() as AddressInfo
  const connected = async (): Promise<Socket> => (await once(server, 'connection'))[0]
  const first = connected()
  spawn(process.execPath, ['-e', program, `${port}`], { stdio: 'ignore' })
  const agent = sockets.adopt(await first, (socket) => socket.destroy())
  assert.ok(await processes.note(agent, 'a token', { id: 'agent', name: 'agent' }))
  const second = connected()
  agent.write('start another one')
  const fresh = sockets.adopt(await second, (socket) => socket.destroy())
  assert.ok(await processes.note(fresh, 'another token', { id: 'fresh', name: 'fresh' }))
  assert.deepEqual(inherited, [
    ['agent', []],
    ['fresh', ['agent']],
  ])
})
