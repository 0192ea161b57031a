import { allSettings, settingRule } from './settings.ts'

const scopes = { project: 'its callers', host: 'cannot set it', stricter: 'all callers, and only stricter' } as const

/** Renders docs/settings.md, which describes the effect of each setting in a project's file. */
export function settingsPage(): string {
  const head = ['Setting', "In a project's file it counts for", 'Values that count before you accept the file']
  const rows = allSettings().map((path) => {
    const rule = settingRule(path)
    if (rule === undefined) throw new Error(`Cannot describe "${path.join('.')}": it has no scope or no tightening`)
    return [`\`${path.join('.')}\``, scopes[rule.scope], rule.scope === 'host' ? '' : rule.tighter.says]
  })
  return `${intro}\n${aligned([head, head.map(() => ''), ...rows])}\n`
}

const intro = `<!-- made by packages/host/src/config/schema/write-schema.ts -->

# Every setting, and what it does in a project's file

The settings of [trunkline.json](configuration.md), \`*\` for a name that you choose or an item of a list. What each is for and its default
stand in the [JSON schema](../packages/host/trunkline.schema.json), which editors show. Your own file can set all of them.

A setting that counts for the whole host is refused in a project's file, by name. In a file that you accepted with it before, it is a
warning, and the rest of the file counts as before.
`

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row, at) => {
    const cells = widths.map((width, column) => (at === 1 ? '-'.repeat(width) : (row[column] ?? '').padEnd(width)))
    return `| ${cells.join(' | ')} |`
  })
  return lines.join('\n')
}
