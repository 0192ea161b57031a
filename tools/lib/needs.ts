/** Needs of some tests that not every machine meets, with the reason for skipping. */
const reasons = {
  beside: 'the rules, schemas and corpora that the tests refer to are not beside this repository',
  browser: 'there is neither /usr/bin/chromium-headless-shell nor /usr/bin/chromium',
  files: 'too few files may be open at once',
  linux: 'this takes Linux and its /proc',
  namespaces: 'this takes "unshare" and "ip", and the right to use them',
  posix: 'this takes a POSIX system',
  postgres: 'there is no PostgreSQL in /usr/lib/postgresql',
  pytest: 'there is no pytest',
  redis: 'there is no redis-server',
  shells: 'there is no zsh, fish or mandoc',
  systemd: 'there is no systemd-analyze',
  tmux: 'there is no tmux',
  websocket: 'this runtime has no WebSocket',
  wine: 'this takes Linux on x64 with Wine ("apt-get install wine wine64")',
  windows: 'this takes Windows: "npm run windows" runs it under Wine',
} as const

/** Something that not every machine has. */
export type Need = keyof typeof reasons

const required = readRequired(process.env.TRUNKLINE_REQUIRED)

/**
 * Reason for skipping a test, or false. Needs in the environment variable `TRUNKLINE_REQUIRED`, separated by commas, are
 * no reason: a test fails without them, so that nothing is skipped in silence where they should be there.
 */
export function lacking(need: Need, isThere: boolean): string | false {
  return isThere || required.has(need) ? false : reasons[need]
}

/** Reads a list of needs; an unknown one is an error, because it would be required in vain. */
export function readRequired(list = ''): ReadonlySet<Need> {
  const names = list.split(',').filter((name) => name !== '')
  for (const name of names)
    if (!Object.hasOwn(reasons, name))
      throw new Error(`Cannot require "${name}" by TRUNKLINE_REQUIRED: name any of ${Object.keys(reasons).join(', ')}`)
  return new Set(names as Need[])
}
