import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseTools } from './choose-tools.ts'

const tools = (server: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${server}__t${at}`, description: '', inputSchema: {} }))
const serverOf = (name: string) => name.split('__')[0]
const plenty = 1_000_000

test('chooseTools: a server with 10 000 tools leaves the others theirs, and is named', () => {
  const all = [...tools('huge', 10_000), ...tools('small', 3)]
  const chosen = chooseTools(all, { maxTools: 128, maxTokens: plenty, serverOf })
  assert.equal(chosen.tools.length, 128)
  assert.deepEqual(
    chosen.tools.slice(-3).map(({ name }) => name),
    ['small__t0', 'small__t1', 'small__t2'],
  )
  assert.deepEqual([chosen.count, chosen.servers], [9_875, [{ server: 'huge', count: 9_875 }]])
})

test('chooseTools: no more than fit into the context', () => {
  const large = tools('one', 10).map((tool) => ({ ...tool, description: 'x'.repeat(4_000) }))
  const { tools: fitting, count } = chooseTools(large, { maxTools: 128, maxTokens: 5_000, serverOf })
  assert.ok(fitting.length > 0 && fitting.length < 6, `${fitting.length}`)
  assert.equal(count, 10 - fitting.length)
})

test('chooseTools: all of few, in their order', () => {
  const all = [...tools('one', 2), ...tools('two', 1)]
  assert.deepEqual(chooseTools(all, { maxTools: 128, maxTokens: plenty, serverOf }), {
    tools: all,
    count: 0,
    servers: [],
  })
})
