import type { CatalogueEntry } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Panel } from '../../parts/panel.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'
import { ToolClassSelect } from './tool-class-select.tsx'

const maxShown = 200

/** What a server offers, what each tool costs, and which were never used. */
export function ServerOffers({ entries }: { readonly entries: readonly CatalogueEntry[] }) {
  const tools = entries.filter(({ kind }) => kind === 'tool')
  const unused = tools.filter(({ callsIn30Days }) => callsIn30Days === 0)
  const wasted = unused.reduce((sum, { tokens }) => sum + tokens, 0)
  if (tools.length === 0) return null
  return (
    <Panel title={plural(tools.length, 'tool')}>
      {unused.length > 0 && (
        <p className={styles.unused}>
          {plural(unused.length, 'tool was', 'tools were')} not used in 30 days and cost about{' '}
          {wasted.toLocaleString('en')} tokens in each conversation.
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Class</th>
            <th scope="col">Standing</th>
            <th scope="col" className={styles.number}>
              Tokens
            </th>
            <th scope="col" className={styles.number}>
              Calls
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.slice(0, maxShown).map((tool) => (
            <tr key={tool.name}>
              <td>
                <Said text={tool.original} oneLine />
                {tool.why !== undefined && (
                  <div className={styles.why}>
                    <Said text={tool.why} />
                  </div>
                )}
              </td>
              <td>
                <ToolClassSelect tool={tool} />
              </td>
              <td>
                <Badge tone={tool.standing === 'usable' ? 'plain' : 'warn'}>{tool.standing}</Badge>
              </td>
              <td className={styles.number}>{tool.tokens}</td>
              <td className={styles.number}>{tool.callsIn30Days}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tools.length > maxShown && <p className={styles.unused}>The others are on the screen of the tools.</p>}
    </Panel>
  )
}
