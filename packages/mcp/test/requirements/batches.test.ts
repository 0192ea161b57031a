import assert from 'node:assert/strict'
import { InvalidParams, InvalidRequest } from '../../src/index.ts'
import type { Heard, RawEnd } from './harness/raw-end.ts'
import { verifies } from './verifies.ts'

const isBatch = (message: unknown): message is readonly Heard[] => Array.isArray(message)

/** The array that answers, in the order of the ids. */
async function batch(end: RawEnd): Promise<readonly Heard[]> {
  const answers = await end.until(isBatch)
  return isBatch(answers) ? answers.toSorted((a, b) => String(a.id).localeCompare(String(b.id))) : []
}

const echo = (end: RawEnd, id: string) => end.request('tools/call', { name: 'echo', arguments: { text: id } }, id)

verifies('batches: answered together', async ({ raw }) => {
  const end = await raw('tools')
  end.send([echo(end, 'a'), { jsonrpc: '2.0', method: 'notifications/unheard_of' }, echo(end, 'b')])
  const answers = await batch(end)
  assert.deepEqual(
    answers.map(({ id, result }) => [id, result?.content]),
    ['a', 'b'].map((id) => [id, [{ type: 'text', text: id }]]),
  )
})

verifies('batches: notifications are not answered', async ({ raw }) => {
  const end = await raw('tools')
  const before = end.heard.length
  end.send([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'x' } },
    { jsonrpc: '2.0', method: 'notifications/unheard_of' },
  ])
  await end.settled()
  assert.equal(end.heard.length, before + 1)
})

verifies('batches: failures', async ({ raw }) => {
  const end = await raw('tools')
  end.send([echo(end, 'a'), end.request('tools/call', { name: 'sing' }, 'b')])
  const [first, second] = await batch(end)
  assert.ok(first?.result)
  assert.equal(second?.error?.code, InvalidParams)
})

const isInvalid = ({ error }: Heard): boolean => error?.code === InvalidRequest

verifies('batches: what is no message', async ({ raw }) => {
  const end = await raw('tools')
  end.send([7, echo(end, 'a')])
  assert.ok((await batch(end))[0]?.result)
  await end.settled()
  assert.equal(end.heard.filter(isInvalid).length, 1)
})

verifies('batches: empty', async ({ raw, transport }) => {
  const end = await raw('tools')
  end.send([])
  // what HTTP refuses has no id
  assert.equal((await end.until(isInvalid)).id, transport === 'http-session' ? undefined : null)
})

verifies('batches: too long', async ({ raw }) => {
  const end = await raw('tools')
  end.send(Array.from({ length: 101 }, (_, at) => echo(end, `${at}`)))
  await end.until(isInvalid)
  await end.settled()
  assert.equal(end.heard.find(isBatch), undefined)
})

verifies('batches: to a client', async ({ play }) => {
  const progress = { method: 'notifications/progress', params: { progressToken: '$token', progress: 1 } }
  const client = await play({ 'tools/call': [[[progress, { result: { content: [] } }]]] })
  const reports: number[] = []
  const onProgress = (report: { progress: number }) => reports.push(report.progress)
  assert.deepEqual((await client.tools.call('any', {}, { onProgress })).content, [])
  assert.deepEqual(reports, [1])
})

verifies('batches: not opened by one', async ({ raw }) => {
  const end = await raw('tools', { fresh: true, greet: false })
  end.send([end.request('initialize', end.hello(), 'hello')])
  await end.until(isInvalid)
  assert.equal(end.heard.length, 1)
})

verifies('batches: cancelled requests', async ({ raw }) => {
  const end = await raw('working')
  end.send([
    end.request('tools/call', { name: 'hang' }, 'a'),
    end.request('tools/call', { name: 'witness', arguments: { event: 'started' } }, 'b'),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } },
  ])
  const answers = await batch(end)
  assert.deepEqual(
    answers.map(({ id }) => id),
    ['b'],
  )
})

verifies('batches: not yet', async ({ raw }) => {
  const end = await raw('tools')
  end.send([echo(end, 'a')])
  await end.until(isInvalid)
  assert.equal(end.heard.find(isBatch), undefined)
})

verifies('batches: no more', async ({ raw }) => {
  const end = await raw('tools')
  end.send([echo(end, 'a')])
  await end.until(isInvalid)
  assert.equal(end.heard.find(isBatch), undefined)
})
