import type { Command, CommandNeeds } from '../command/command.ts'

/** One form of a command, or a route of the API, and what it needs. */
export interface NeedsRow {
  readonly form: string
  readonly needs: CommandNeeds
}

/** The forms of a command with what each needs; '?' stands for the answer to what it asks. */
export function needsRows({ name, needs }: Pick<Command, 'name' | 'needs'>): readonly NeedsRow[] {
  if (typeof needs === 'string') return [{ form: `trunkline ${name}`, needs }]
  return Object.entries(needs).map(([verb, needed]) => ({
    form: verb === '?' ? `the answer to what \`${name}\` asks` : `trunkline ${name} ${verb}`.trimEnd(),
    needs: needed,
  }))
}

/** The page that says what every command and every route needs, for `docs/`. */
export function needsPage(
  commands: readonly Command[],
  routes: readonly (NeedsRow & { readonly says: string })[],
): string {
  const shown = (form: string) => (form.startsWith('the ') ? form : `\`${form}\``)
  const commandRows = commands.flatMap(needsRows).map(({ form, needs }) => `| ${shown(form)} | ${needs} |`)
  const routeRows = routes.map(({ form, needs, says }) => `| \`${form}\` | ${needs} | ${says} |`)
  return `${[
    '<!-- Generated from the commands and routes by tools/check-command-manual.ts --update; edit those instead. -->',
    '# What commands and API routes need',
    [
      '- **nothing**: any process of this user; of the API, one with the token of the command or the secret of a page.',
      '- **person**: neither a caller nor a server of the host may have started the process. A page that was opened with a code counts as a person.',
      '- **terminal**: a person, at a process that has a terminal.',
    ].join('\n'),
    'The host checks the process at the other end of each connection to its API; [Who decides](host.md#who-decides) says how. What a server of the host has started may use no route at all.',
    '## Commands',
    ['| command | needs |', '| --- | --- |', ...commandRows].join('\n'),
    '## Routes of the API',
    ['| route | needs | |', '| --- | --- | --- |', ...routeRows].join('\n'),
  ].join('\n\n')}\n`
}
