import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { aggregateName, maxAggregateNameLength } from './names.ts'

it('aggregateName: a legal name that fits stays', () => {
  assert.equal(aggregateName('github', 'create_issue'), 'github__create_issue')
})

it('aggregateName: a name that does not fit or is not legal gets a digest of server and name', () => {
  const long = aggregateName('github', 'create_a_pull_request_review_comment_thread')
  assert.equal(long.length, maxAggregateNameLength)
  assert.match(long, /^github__create_a_pull_request_review_\w*_[0-9a-f]{8}$|_[0-9a-f]{8}$/)
  assert.match(aggregateName('files', 'read.file'), /^files__read_file_[0-9a-f]{8}$/)
  assert.match(aggregateName('files', 'läs'), /^files__l_s_[0-9a-f]{8}$/)
})

it('aggregateName: a name that looks like one with a digest gets one too, so that no name can be imitated', () => {
  const taken = aggregateName('files', 'read.file')
  const imitation = taken.slice('files__'.length)
  assert.notEqual(aggregateName('files', imitation), taken)
})

it('aggregateName: is always legal, short enough, and different for different pairs', () => {
  const server = fc.stringMatching(/^[a-z0-9-]{1,24}$/)
  const name = fc.oneof(fc.string({ maxLength: 80 }), fc.stringMatching(/^[a-z_]{1,40}$/))
  const pair = fc.tuple(server, name)
  fc.assert(
    fc.property(pair, pair, ([server, name], [otherServer, otherName]) => {
      const one = aggregateName(server, name)
      assert.match(one, /^[A-Za-z0-9_-]{1,44}$/)
      if (server === otherServer && name === otherName) return
      assert.notEqual(one, aggregateName(otherServer, otherName))
    }),
    { numRuns: 2_000 },
  )
})

it('aggregateName: separators inside names do not lead to another server', () => {
  assert.notEqual(aggregateName('a', 'b__c'), aggregateName('a-b', 'c'))
  assert.equal(aggregateName('a', 'b__c'), 'a__b__c')
})
