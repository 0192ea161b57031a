/** A server is killed under a client that waits for its work, and started again: the client notices nothing but time. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { tasks } from '@trunkline/mcp/tasks'
import { tour } from './handles.ts'
import { kill, start } from './process.ts'

const folder = await mkdtemp(join(tmpdir(), 'long-running-'))
const file = join(folder, 'studio.db')
const diary = join(folder, 'diary.txt')
const first = await start('0', file, diary)
console.log(`The server runs as process ${first.child.pid}`)

// region client
await using mcp = await connect(first.url, { extensions: [tasks()] })
const task = await mcp.tools.start('render', { title: 'Nosferatu', frames: 6 })
console.log(`Task ${task.id} is ${task.state.status}`)
// endregion

const result = task.result()
let last: string | undefined
for await (const { statusMessage } of task) {
  if (statusMessage !== last) console.log(`  ${statusMessage}`)
  last = statusMessage
  if (last === 'frame 3 of 6') break
}

await kill(first)
console.log('The server was killed with SIGKILL; the client goes on waiting')
const second = await start(first.url.port, file, diary)
console.log(`The server runs again, as process ${second.child.pid}`)

for await (const { statusMessage } of task) {
  if (statusMessage !== last) console.log(`  ${statusMessage}`)
  last = statusMessage
}
const { content } = await result
console.log(`The result: ${JSON.stringify(content)}`)
assert.deepEqual(content, [{ type: 'text', text: '"Nosferatu" has 6 frames, paid once' }])

// region attach
// a third process, which knows nothing but the id
await using another = await connect(second.url, { extensions: [tasks()] })
const known = await another.tasks.attach(task.id ?? '')
assert.deepEqual((await known.result()).content, content)
// endregion

const lines = (await readFile(diary, 'utf8')).trim().split('\n')
console.log(`What the world saw:\n  ${lines.join('\n  ')}`)
assert.equal(lines.filter((line) => line.startsWith('charged')).length, 1)
for (let frame = 1; frame <= 6; frame++) assert.ok(lines.includes(`drew frame ${frame}`))
console.log('Other ways to wait:')
await tour(second.url)
await kill(second)
await rm(folder, { recursive: true })
