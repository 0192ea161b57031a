import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AnsweredCall, suggestRules } from './suggest.ts'

const call = (args: AnsweredCall['arguments'], more: Partial<AnsweredCall> = {}): AnsweredCall => ({
  server: 'files',
  target: 'write',
  principal: 'editor',
  class: 'writes',
  arguments: args,
  wasAllowed: true,
  ...more,
})

describe('suggestRules', () => {
  it('proposes calls that were allowed three times and never refused', () => {
    const twice = [call({}), call({})]
    assert.deepEqual(suggestRules(twice), [])
    const [found] = suggestRules([...twice, call({}, { principal: 'chat' })])
    assert.deepEqual(found, {
      rule: 'files:write',
      server: 'files',
      target: 'write',
      answers: 3,
      principals: ['chat', 'editor'],
    })
    assert.deepEqual(suggestRules([...twice, call({}), call({}, { wasAllowed: false })]), [])
  })

  it('a tool that destroys is proposed only with the common parts of its arguments', () => {
    const destroys = (args: AnsweredCall['arguments']) => call(args, { class: 'destroys', target: 'remove' })
    const paths = ['/home/ann/tmp/a', '/home/ann/tmp/b/c', '/home/ann/tmp/d'].map((path) =>
      destroys({ path, force: true, note: `for ${path}` }),
    )
    assert.equal(suggestRules(paths)[0]?.rule, 'files:remove{path~"/home/ann/tmp/**", force=true}')
    assert.deepEqual(suggestRules(['/a/b', '/c/d', '/e/f'].map((path) => destroys({ path }))), [])
    const onWindows = ['C:\\Ann\\tmp\\a', 'c:/Ann/tmp/b/c', 'C:\\Ann\\tmp\\d'].map((path) => destroys({ path }))
    assert.equal(suggestRules(onWindows)[0]?.rule, 'files:remove{path~"c:/Ann/tmp/**"}')
    assert.deepEqual(suggestRules(['C:\\a\\b', 'C:\\c\\d', 'C:\\e\\f'].map((path) => destroys({ path }))), [])
    assert.deepEqual(suggestRules(['/a/../b', '/a/c', '/a/d'].map((path) => destroys({ path }))), [])
  })

  it('a name that no pattern can hold is left out', () => {
    assert.deepEqual(suggestRules(Array.from({ length: 3 }, () => call({}, { target: 'a{b}' }))), [])
  })
})
