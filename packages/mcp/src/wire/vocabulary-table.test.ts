import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeShapeProblem, type Shape } from './shape.ts'
import type { Vocabulary } from './vocabulary.ts'
import { vocabularies } from './vocabulary-table.ts'

const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function of(revision: string): Vocabulary {
  return vocabularies.get(revision) ?? assert.fail(`there is no vocabulary for ${revision}`)
}

function verdict(shape: Shape | undefined, value: unknown): string {
  const problem = (shape ?? assert.fail('there is no such shape')).check(value)
  return problem ? describeShapeProblem(problem) : 'fits'
}

test('vocabularies has the five revisions, oldest first', () => {
  assert.deepEqual([...vocabularies.keys()], [...handshakes, '2026-07-28'])
  for (const [revision, vocabulary] of vocabularies) assert.equal(vocabulary.revision, revision)
})

describe('types', () => {
  const tool = {
    '2024-11-05': ['name', 'description', 'inputSchema'],
    '2025-03-26': ['annotations'],
    '2025-06-18': ['title', 'outputSchema', '_meta'],
    '2025-11-25': ['icons', 'execution'],
  }
  test('have the fields of each revision and no others', () => {
    const known = new Set<string>()
    for (const [revision, added] of Object.entries(tool)) {
      for (const name of added) known.add(name)
      assert.deepEqual(of(revision).types.Tool?.fields, known, revision)
    }
    known.delete('execution')
    assert.deepEqual(of('2026-07-28').types.Tool?.fields, known)
  })

  test('follow a change of what they refer to', () => {
    const block = { type: 'text', text: '', annotations: { lastModified: 5 } }
    assert.equal(verdict(of('2025-03-26').types.ContentBlock, block), 'fits')
    assert.equal(verdict(of('2025-06-18').types.ContentBlock, block), 'annotations.lastModified must be a string')
  })

  test('are there from the revision that brought them', () => {
    const since = (name: string) =>
      [...vocabularies.values()].filter(({ types }) => name in types).map((v) => v.revision)
    assert.equal(since('AudioContent')[0], '2025-03-26')
    assert.equal(since('ResourceLink')[0], '2025-06-18')
    assert.equal(since('Icon')[0], '2025-11-25')
    assert.deepEqual(since('Task'), ['2025-11-25'])
    assert.deepEqual(since('InitializeResult'), handshakes)
    assert.deepEqual(since('InputRequiredResult'), ['2026-07-28'])
  })
})

describe('methods', () => {
  test('a handshake server asks with requests of its own', () => {
    for (const revision of handshakes) {
      const { inputs, server } = of(revision)
      for (const [method, exchange] of inputs) assert.equal(server.requests.get(method), exchange)
      assert.equal(inputs.has('elicitation/create'), revision >= '2025-06-18')
    }
  })

  test('a stateless server sends no requests, but has the same three questions', () => {
    const { inputs, server } = of('2026-07-28')
    assert.equal(server.requests.size, 0)
    assert.deepEqual([...inputs.keys()], ['roots/list', 'sampling/createMessage', 'elicitation/create'])
  })

  test('list params may be left out before 2026-07-28', () => {
    for (const { revision, client } of vocabularies.values()) {
      const expected = handshakes.includes(revision) ? 'fits' : 'must be an object'
      assert.equal(verdict(client.requests.get('tools/list')?.params, undefined), expected, revision)
    }
  })

  test('tasks are a matter of 2025-11-25, in both directions', () => {
    for (const { revision, client, server } of vocabularies.values()) {
      const isThere = revision === '2025-11-25'
      for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
        assert.equal(client.requests.has(method), isThere)
        assert.equal(server.requests.has(method), isThere)
      }
      assert.equal(client.notifications.has('notifications/tasks/status'), isThere)
      assert.equal(server.notifications.has('notifications/tasks/status'), isThere)
    }
  })
})

describe('2025-11-25', () => {
  test('a call may be answered by a task', () => {
    const result = of('2025-11-25').client.requests.get('tools/call')?.result
    const task = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null }
    assert.equal(verdict(result, { task }), 'fits')
    assert.equal(verdict(result, { content: [] }), 'fits')
    assert.equal(verdict(result, { task: {} }), 'content is required, or task.taskId is required')
  })
})

describe('2026-07-28', () => {
  const { requests } = of('2026-07-28').client
  const call = requests.get('tools/call')

  test('every request carries the envelope', () => {
    for (const { params } of requests.values()) {
      assert.equal(verdict(params, {}).endsWith('is required'), true)
      const { 'io.modelcontextprotocol/clientCapabilities': _, ...half } = envelope
      const every = { name: '', uri: '', ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } }
      const rest = { ...every, notifications: {} }
      const missing = '_meta["io.modelcontextprotocol/clientCapabilities"] is required'
      assert.equal(verdict(params, { ...rest, _meta: half }), missing)
      assert.equal(verdict(params, { ...rest, _meta: envelope }), 'fits')
    }
  })

  test('the answers to questions travel with the request', () => {
    const inputResponses = { name: { action: 'accept', content: { name: 'Ada', age: 36.5 } } }
    const params = { name: 'greet', inputResponses, requestState: 'sealed', _meta: envelope }
    assert.equal(verdict(call?.params, params), 'fits')
    assert.match(verdict(call?.params, { ...params, inputResponses: { name: {} } }), /^inputResponses\.name action is/)
  })

  test('a result without resultType is complete', () => {
    assert.equal(verdict(call?.result, { content: [] }), 'fits')
    assert.equal(verdict(call?.result, { resultType: 'complete', content: [] }), 'fits')
    assert.equal(verdict(call?.result, { requestState: '' }), 'content is required')
  })

  test('a result may ask for input only where the protocol says so', () => {
    const asking = [...requests].filter(([, { result }]) => {
      return result.check({ resultType: 'input_required', requestState: '' }) === undefined
    })
    assert.deepEqual(
      asking.map(([method]) => method),
      ['tools/call', 'resources/read', 'prompts/get'],
    )
  })

  test('a result that asks has something to ask or to say', () => {
    const ask = (members: object) => verdict(call?.result, { resultType: 'input_required', ...members })
    assert.equal(ask({}), 'must have "inputRequests" or "requestState"')
    assert.equal(ask({ requestState: 5 }), 'requestState must be a string')
    assert.equal(ask({ inputRequests: { roots: { method: 'roots/list' } } }), 'fits')
    assert.match(
      ask({ inputRequests: { roots: { method: 'ping' } } }),
      /^inputRequests\.roots\.method must be "roots\/list"/,
    )
  })

  test('a result of another kind is left to the extension that brought it', () => {
    assert.equal(verdict(call?.result, { resultType: 'task', task: {} }), 'fits')
    assert.equal(verdict(call?.result, { resultType: 'task', _meta: 5 }), '_meta must be an object')
  })

  test('completion stops at a hundred values', () => {
    const result = requests.get('completion/complete')?.result
    const completion = (length: number) => ({ completion: { values: Array.from({ length }, () => '') } })
    assert.equal(verdict(result, completion(100)), 'fits')
    assert.equal(verdict(result, completion(101)), 'completion.values must hold at most 100 items')
  })
})
