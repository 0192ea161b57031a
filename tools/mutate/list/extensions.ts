import type { Mutation } from '../mutation.ts'

const skills = 'src/extensions/skills'
const apps = 'src/extensions/apps'

/** Skills and apps: content of a server that others use. */
export const extensions: readonly Mutation[] = [
  {
    breaks: 'a file of a skill may be another than the one listed',
    file: `${skills}/client/verify.ts`,
    from: 'if (digest !== file.digest) throw',
    to: 'if (false) throw',
    noticedBy: ['test/extensions/skills/load.test.ts'],
    threat: 51,
  },
  {
    breaks: 'a skill may say other things of itself than its entry does',
    file: `${skills}/client/verify-file.ts`,
    from: 'if (name !== undefined) throw',
    to: 'if (false) throw',
    noticedBy: ['test/extensions/skills/load.test.ts'],
    threat: 51,
  },
  {
    breaks: 'files that no entry lists are read as files of a skill',
    file: `${skills}/client/loaded-skill.ts`,
    from: "if (!file && this.entry.resources !== 'dynamic') throw",
    to: 'if (false) throw',
    noticedBy: ['test/extensions/skills/load.test.ts'],
    threat: 51,
  },
  {
    breaks: 'the address of a file of a skill may climb out of it',
    file: `${skills}/skill-uri.ts`,
    from: "if (decoded === '.' || decoded === '..') return",
    to: 'if (false) return',
    noticedBy: ['test/extensions/skills/load.test.ts', 'test/extensions/skills/frontmatter.test.ts'],
    threat: 51,
  },
  {
    breaks: 'a directory that became a link leads out of the skills',
    file: `${skills}/node/read-file.ts`,
    from: 'if (real !== path || named.ino !== opened.ino || named.dev !== opened.dev) throw',
    to: 'if (false) throw',
    noticedBy: ['test/extensions/skills/read-file.test.ts'],
    threat: 51,
  },
  {
    breaks: 'a skill may have any number of files',
    file: `${skills}/node/open-skill.ts`,
    from: 'if (this.#count > maxFilesPerSkill)',
    to: 'if (false)',
    noticedBy: ['test/extensions/skills/refused.test.ts'],
    threat: 51,
  },
  {
    breaks: 'a skill has the files of another server that it lists',
    file: `${skills}/check-entry.ts`,
    from: 'if (!uri.startsWith(`${root}/`)) return',
    to: 'if (false) return',
    noticedBy: ['packages/host/test/skills/consent.test.ts'],
    threat: 51,
  },
  {
    breaks: 'a view may call what is for models alone',
    file: `${apps}/host/view-requests.ts`,
    from: 'return isForApp(tool) ? tool : undefined',
    to: 'return tool',
    noticedBy: ['test/extensions/apps/bridge.test.ts'],
    threat: 52,
  },
  {
    breaks: 'any frame may speak for a view',
    file: `${apps}/host/view-channel.ts`,
    from: 'source !== target || ',
    to: '',
    noticedBy: ['test/extensions/apps/bridge.test.ts'],
    threat: 52,
  },
  {
    breaks: 'a message of a view may be of any size',
    file: `${apps}/host/plain-json.ts`,
    from: "if (left.chars < 0) return 'it is too large'",
    to: '',
    noticedBy: ['test/extensions/apps/bridge.test.ts'],
    threat: 52,
  },
  {
    breaks: 'a server writes words of its own into the policy of its view',
    file: `${apps}/host/content-security-policy.ts`,
    from: '(given ?? []).filter(isOrigin)',
    to: 'given ?? []',
    noticedBy: ['test/extensions/apps/define.test.ts'],
    threat: 52,
  },
  {
    breaks: 'a view leaves its frame and takes along what it was told',
    file: `${apps}/host/sandbox-page.ts`,
    from: 'document.head.append(policy)',
    to: '',
    noticedBy: ['test/extensions/apps/browser.test.ts'],
    threat: 52,
  },
]
