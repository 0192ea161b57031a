import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Fields } from '@trunkline/mcp'
import type { Act, ActKind } from '../../src/act/act.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { Policy } from '../../src/policy/policy.ts'
import type { Effect, RuleText } from '../../src/policy/rule.ts'

const page = readFileSync(new URL('../../../../docs/policy.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```rules\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim().split('\n'))
const ruleLine = /^(allow|ask|deny) (.+)$/
const actLine = /^([^\s:]+):(\S+)(?: (\{.*\}))?(?: as (\w+))?(?: by (\S+))?(?: in (\S+))? → (\w+)$/

describe('docs/policy.md', () => {
  it('has examples of rules, each with acts', () => {
    assert.ok(blocks.length > 10)
    for (const lines of blocks)
      assert.ok(
        lines.some((line) => actLine.test(line)),
        lines.join('\n'),
      )
  })

  for (const lines of blocks) {
    const rules = lines.filter((line) => !line.includes(' → ')).map(readRule)
    for (const line of lines.filter((one) => one.includes(' → '))) {
      it(`${rules.map(({ effect, text }) => `${effect} ${text}`).join('; ')}: ${line}`, () => {
        const { act, folder, verdict } = readAct(line)
        assert.equal(new Policy({ rules, folderOf: () => folder }).judge(act).effect, verdict)
      })
    }
  }
})

function readRule(line: string) {
  const [, effect, text = ''] = ruleLine.exec(line) ?? []
  assert.ok(effect !== undefined, `"${line}" is neither a rule nor an act`)
  const written = text.startsWith('{') ? (JSON.parse(text) as RuleText) : text
  return parseRule(effect as Effect, written, { layer: 'user', file: 'policy.md', line: 1 })
}

function readAct(line: string) {
  const [, server = '', target = '', args = '{}', toolClass = 'unknown', client = 'editor', folder, verdict] =
    actLine.exec(line) ?? []
  assert.ok(verdict !== undefined, `"${line}" is no act with a verdict`)
  const given = JSON.parse(args) as Fields
  const isCall = !target.startsWith('@')
  const act: Act = {
    id: '1',
    kind: isCall ? 'call' : (target.slice(1) as ActKind),
    principal: { id: client, name: client, isApprover: false },
    project: undefined,
    server,
    serverKey: server,
    target: isCall ? target : String(given.uri ?? ''),
    arguments: given,
    definition: undefined,
    class: toolClass as Act['class'],
    effects: [],
    trace: '',
    at: 0,
  }
  return { act, folder, verdict }
}
