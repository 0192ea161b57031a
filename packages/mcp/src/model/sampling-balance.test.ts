import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SamplingMessage } from './input.ts'
import { balanceProblem } from './sampling-balance.ts'

const hello = { type: 'text', text: 'hello' } as const
const use = (id: string) => ({ type: 'tool_use', id, name: 'add', input: {} }) as const
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] }) as const

const conversations: readonly [what: string, messages: readonly SamplingMessage[], problem: RegExp | undefined][] = [
  ['no message', [], undefined],
  ['talk without tools', [{ role: 'user', content: hello }], undefined],
  [
    'two uses and their results in another order',
    [
      { role: 'assistant', content: [hello, use('a'), use('b')] },
      { role: 'user', content: [result('b'), result('a')] },
      { role: 'assistant', content: hello },
    ],
    undefined,
  ],
  ['a use as the last word', [{ role: 'assistant', content: use('a') }], /^no message has a result of tool use "a"/],
  [
    'a use and then something else',
    [
      { role: 'assistant', content: use('a') },
      { role: 'user', content: hello },
    ],
    /^messages\[1\] has no result of tool use "a"/,
  ],
  [
    'one result of two uses',
    [
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('a')] },
    ],
    /^messages\[1\] has no result of tool use "b"/,
  ],
  ['a result out of nowhere', [{ role: 'user', content: result('a') }], /^messages\[0\] has a result of tool use "a"/],
  [
    'a result with other content',
    [
      { role: 'assistant', content: use('a') },
      { role: 'user', content: [result('a'), hello] },
    ],
    /^messages\[1\] has more than results/,
  ],
]

for (const [what, messages, problem] of conversations) {
  test(`balanceProblem: ${what} is ${problem ? 'a problem' : 'fine'}`, () => {
    const found = balanceProblem(messages)
    if (problem) assert.match(found ?? '', problem)
    else assert.equal(found, undefined)
  })
}
