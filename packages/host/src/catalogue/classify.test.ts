import assert from 'node:assert/strict'
import { it } from 'node:test'
import { proposedClass } from './classify.ts'

for (const [name, annotations, expected] of [
  ['read_file', { readOnlyHint: true }, 'reads'],
  ['read_file', {}, 'reads'],
  ['list-issues', {}, 'reads'],
  ['create_issue', {}, 'writes'],
  ['createIssue', { destructiveHint: false }, 'writes'],
  ['create_issue', { destructiveHint: true }, 'destroys'],
  ['delete_repo', {}, 'destroys'],
  ['delete_repo', { readOnlyHint: true }, 'unknown'],
  ['run_sql', { readOnlyHint: true }, 'unknown'],
  ['exec', { readOnlyHint: true }, 'unknown'],
  ['run', { readOnlyHint: true }, 'unknown'],
  ['runQuery', { destructiveHint: true }, 'destroys'],
  ['frobnicate', {}, 'unknown'],
  ['frobnicate', { readOnlyHint: true }, 'reads'],
  ['frobnicate', { readOnlyHint: false }, 'writes'],
  ['update_record', { readOnlyHint: true }, 'unknown'],
  ['search_and_replace', {}, 'writes'],
  ['issues.DELETE', {}, 'destroys'],
] as const) {
  it(`proposedClass: ${name} ${JSON.stringify(annotations)} is ${expected}`, () => {
    assert.equal(proposedClass(name, annotations), expected)
  })
}
