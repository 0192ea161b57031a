import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgedKinds } from './judged-kinds.ts'
import { parseRule } from './parse-rule.ts'
import { RuleError } from './rule-error.ts'
import { rulesFromConfig } from './rules-from-config.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 3 } as const
const problemOf = (match: string): RuleError => {
  try {
    parseRule('deny', match, source)
  } catch (error) {
    if (error instanceof RuleError) return error
    throw error
  }
  return assert.fail(`${match} is a rule`)
}

describe('a rule about a kind of acts', () => {
  it('can name each kind that is judged, one by one and by a pattern', () => {
    for (const kind of judgedKinds) assert.equal(parseRule('deny', `a:@${kind}`, source).target, `@${kind}`)
    for (const pattern of ['@*', '@s*', '@*l*']) assert.equal(parseRule('deny', `a:${pattern}`, source).target, pattern)
  })

  it('is refused by name where no rule decides, with the reason and the fix', () => {
    const elsewhere = { '@start': /"disabled": true/, '@accept': /trunkline accept/, '@call': /write "server:tool"/ }
    for (const [target, fix] of Object.entries(elsewhere)) {
      const { message } = problemOf(`files:${target}`)
      assert.ok(
        message.startsWith(`Cannot read the rule at trunkline.json:3: no rule decides about "${target}"`),
        message,
      )
      assert.match(message, fix)
    }
  })

  it('is refused where there is no such kind, with the kinds that there are', () => {
    for (const target of ['@sampel', '@x*', '@', '@constructor', '@List'])
      assert.match(
        problemOf(`files:${target}`).message,
        /there is no kind of act "@.*"; there are @read, @skill, @prompt/,
      )
  })

  it('that could never match leaves nothing in doubt; one that is misspelt does', () => {
    const configured = (rule: string) =>
      rulesFromConfig({ rules: [{ effect: 'deny', rule, source }], partial: [] } as never)
    assert.deepEqual([configured('a:@start').doubt, configured('a:@start').problems.length], [undefined, 1])
    assert.match(configured('a:@raed').doubt ?? '', /the deny rule at trunkline.json:3 cannot be read/)
  })
})
