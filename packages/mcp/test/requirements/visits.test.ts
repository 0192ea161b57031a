import assert from 'node:assert/strict'
import { type ElicitationRequest, InvalidParams, UrlElicitationRequired } from '../../src/index.ts'
import { isStateless } from './harness/dress.ts'
import { answered, questioning, questionOf } from './harness/question.ts'
import { said } from './harness/said.ts'
import { verifies } from './verifies.ts'

const fill = () => ({ action: 'accept', content: {} }) as const

verifies('elicitation: url', async ({ open }) => {
  const asked: ElicitationRequest[] = []
  const client = await open('asking', {
    elicitation: {
      url: (request) => {
        asked.push(request)
        return { action: 'accept' }
      },
    },
  })
  assert.equal(said(await client.tools.call('visit', {})), 'visited')
  const [question] = asked
  assert.ok(question?.mode === 'url')
  assert.deepEqual([question.url, question.message], ['https://example.com/sign-in', 'Please sign in'])
})

verifies('elicitation: url has an id', async (setting) => {
  const { elicitationId } = await questionOf('visit', setting)
  assert.match(String(elicitationId), /^[0-9a-f-]{36}$/)
})

verifies('elicitation: url has no id', async (setting) => {
  const url = 'https://example.com/sign-in'
  assert.deepEqual(await questionOf('visit', setting), { mode: 'url', message: 'Please sign in', url })
})

verifies('elicitation: no url', async ({ open }) => {
  const visit = () => assert.fail('there are no pages to visit in this revision')
  const client = await open('asking', { elicitation: { form: fill, url: visit } })
  const result = await client.tools.call('visit', {})
  assert.deepEqual(
    [result.isError, said(result)],
    [true, 'Cannot ask the client: it did not declare "elicitation.url"'],
  )
})

verifies('elicitation: undeclared mode', async (setting) => {
  const visit = { mode: 'url', message: 'Go', url: 'https://example.com/', elicitationId: 'v1' }
  const client = await setting.play(questioning(setting, 'elicitation/create', visit), { elicitation: fill })
  const call = client.tools.call('any', {})
  if (isStateless(setting.revision)) return assert.rejects(call, { code: InvalidParams })
  await call
  assert.equal(answered(setting).error?.code, InvalidParams)
})

verifies('elicitation: url required', async ({ play, sent }) => {
  const page = (elicitationId: string) => ({ mode: 'url', elicitationId, url: 'https://example.com/', message: 'Go' })
  const complete = (elicitationId: string) => ({
    method: 'notifications/elicitation/complete',
    params: { elicitationId },
  })
  const elicitations = [page('one'), page('two')]
  const visited: unknown[] = []
  const client = await play(
    {
      'tools/call': [
        [{ error: { code: UrlElicitationRequired, message: 'Sign in first', data: { elicitations } } }],
        [{ result: { content: [{ type: 'text', text: 'done' }] } }],
      ],
      ping: [
        [complete('unheard of'), { result: {} }],
        [complete('two'), complete('one'), { result: {} }],
      ],
    },
    {
      elicitation: {
        url: async ({ elicitationId }) => {
          visited.push(elicitationId)
          await client.ping()
          return { action: 'accept' }
        },
      },
    },
  )
  assert.equal(said(await client.tools.call('any', {})), 'done')
  assert.deepEqual(visited, ['one', 'two'])
  assert.equal(sent('tools/call').length, 2)
})
