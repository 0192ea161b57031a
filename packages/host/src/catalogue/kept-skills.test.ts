import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definitionDiff } from './definition-diff.ts'
import { keptSkills } from './kept-skills.ts'

const file = (uri: string, letter = 'a') => ({ uri, digest: `sha256:${letter.repeat(64)}`, size: 4 })
const skill = (name: string, files: readonly ReturnType<typeof file>[] = []) => {
  const uri = `skill://${name}/SKILL.md`
  return { uri, frontmatter: { name, description: 'How it is done.' }, resources: [file(uri), ...files] }
}

describe('keptSkills', () => {
  it('keeps the first of one address, and no more than a server may have', () => {
    const problems: string[] = []
    const kept = keptSkills([skill('a'), skill('a'), skill('b'), skill('c')], (problem) => problems.push(problem), {
      maxSkills: 2,
    })
    assert.deepEqual(
      kept.map(({ uri }) => uri),
      ['skill://a/SKILL.md', 'skill://b/SKILL.md'],
    )
    assert.deepEqual(problems, [
      'Left out skill "skill://a/SKILL.md": one before it has the same address',
      'Left out skill "skill://c/SKILL.md": a server has at most 2 skills here',
    ])
  })

  it('keeps no more bytes than the list of a server may have', () => {
    const problems: string[] = []
    const maxSkillListBytes = JSON.stringify(skill('a')).length
    const kept = keptSkills([skill('a'), skill('b')], (problem) => problems.push(problem), { maxSkillListBytes })
    assert.equal(kept.length, 1)
    assert.match(problems.join(), /^Left out skill "skill:\/\/b\/SKILL.md": .* more than \d+ bytes$/)
  })

  it('makes the same definition of the same files in another order, without members that the protocol does not name', () => {
    const [one, other] = [file('skill://a/1.md'), file('skill://a/2.md')]
    const ordered = keptSkills([skill('a', [one, other])], assert.fail)
    assert.deepEqual(keptSkills([Object.assign(skill('a', [other, one]), { _meta: { at: 1 } })], assert.fail), ordered)
  })
})

describe('definitionDiff of skills', () => {
  it('names the files that came, went and changed, by their addresses', () => {
    const before = skill('a', [file('skill://a/1.md'), file('skill://a/2.md')])
    const after = skill('a', [file('skill://a/0.md'), file('skill://a/2.md', 'b')])
    assert.deepEqual(
      definitionDiff(before, after).map(({ why }) => why),
      [
        '/resources/skill:~1~1a~11.md is gone',
        '/resources/skill:~1~1a~12.md/digest changed',
        '/resources/skill:~1~1a~10.md is new',
      ],
    )
  })
})
