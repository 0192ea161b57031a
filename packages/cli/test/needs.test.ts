import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { needsOf } from '../src/command/run-command.ts'
import { registry } from '../src/registry.ts'

const commands = await Promise.all(
  Object.entries(registry).map(async ([name, load]) => ({ ...(await load()), registered: name })),
)
const levels = ['nothing', 'person', 'terminal']

describe('what commands need', () => {
  it('is said by each command, and of no word that the command does not take', () => {
    for (const { registered, needs, usage } of commands) {
      const rows = typeof needs === 'string' ? { '': needs } : needs
      assert.ok(
        Object.values(rows).every((level) => levels.includes(level)),
        registered,
      )
      const verbs = usage.map((form) => form.split(' ')[0])
      for (const verb of Object.keys(rows).filter((key) => key !== '' && key !== '?')) {
        assert.ok(verbs.includes(verb), `${registered} ${verb}`)
      }
    }
  })

  it('is a terminal for every command that asks for a decision, and for no other', () => {
    const deciding = /\b(?:decidedHere|chosenHere|answerInbox)\(/
    for (const { registered, needs } of commands) {
      const source = readFileSync(new URL(`../src/commands/${registered}.ts`, import.meta.url), 'utf8')
      const asks = typeof needs === 'object' && needs['?'] === 'terminal'
      assert.equal(asks, deciding.test(source), registered)
    }
  })

  it('is a person for what takes something away', async () => {
    const needed = async (name: string, ...words: string[]) =>
      needsOf((await registry[name]?.()) ?? assert.fail(), { words })
    assert.equal(await needed('remove', 'one'), 'person')
    assert.equal(await needed('logout', 'one'), 'person')
    assert.equal(await needed('forget'), 'person')
    assert.equal(await needed('clients', 'revoke', 'one'), 'person')
    assert.equal(await needed('clients'), 'nothing')
  })
})
