import { type Mutation, mutationsOf } from '../../mutation.ts'

/** Layers of the configuration, files of projects, and secrets. */
export const configuration: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'denials of a stronger layer replace those of weaker ones',
    file: 'src/config/layers/join.ts',
    from: '(?:allow|ask|deny|review|proof)',
    to: '(?:allow|ask|review)',
    noticedBy: ['src/config/layers/join.test.ts'],
  },
  {
    breaks: 'to refuse the file of a project accepts it',
    file: 'src/trust/file-question.ts',
    from: "settlement.state === 'answered' && settlement.answer.choice !== 'refuse'",
    to: "settlement.state === 'answered'",
    noticedBy: ['src/trust/file-question.test.ts'],
    threat: 40,
  },
  {
    breaks: 'a secrets file that the group can read stays so',
    file: 'src/config/secrets/secret-file.ts',
    from: '(found.mode & 0o077)',
    to: '(found.mode & 0o007)',
    noticedBy: ['src/config/secrets/secret-file.test.ts'],
  },
])
