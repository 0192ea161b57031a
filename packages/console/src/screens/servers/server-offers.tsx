import { useMutation } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'
import styles from './servers.module.css'
import { UnusedTools, useHideTools } from './unused-tools.tsx'

const maxShown = 200

interface ServerOffersProps {
  readonly entries: readonly CatalogueEntry[]
  /** Time when the server was accepted; undefined if it is not known. */
  readonly acceptedAt: number | undefined
}

/** Offers of a server, the cost of each tool, and the tools that were never used. */
export function ServerOffers({ entries, acceptedAt }: ServerOffersProps) {
  const tools = entries.filter(({ kind }) => kind === 'tool')
  const hide = useHideTools()
  if (tools.length === 0) return null
  return (
    <Panel title={plural(tools.length, 'tool')}>
      <UnusedTools tools={tools} acceptedAt={acceptedAt} />
      <Failure error={hide.error} />
      <ScrollArea label="Tools of this server" className={styles.scroll}>
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Class</th>
              <th scope="col" className={styles.more}>
                Standing
              </th>
              <th scope="col" className={`${styles.number} ${styles.more}`}>
                Tokens
              </th>
              <th scope="col" className={styles.number}>
                Calls
              </th>
              <th scope="col">
                <span className="visually-hidden">Hide or show</span>
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
                <td className={styles.more}>
                  <Badge tone={tool.standing === 'usable' ? 'plain' : 'warn'}>{tool.standing}</Badge>
                </td>
                <td className={`${styles.number} ${styles.more}`}>{tool.tokens}</td>
                <td className={styles.number}>{tool.callsIn30Days}</td>
                <td className={styles.number}>
                  {tool.standing !== 'set aside' && (
                    <Button
                      size="s"
                      tone="quiet"
                      aria-label={`${tool.standing === 'hidden' ? 'Show' : 'Hide'} ${tool.original}`}
                      disabled={hide.isPending}
                      onClick={() => hide.mutate({ tools: [tool], isHidden: tool.standing !== 'hidden' })}
                    >
                      {tool.standing === 'hidden' ? 'Show' : 'Hide'}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {tools.length > maxShown && <p className={styles.unused}>The others are on the screen of the tools.</p>}
    </Panel>
  )
}

const classes = ['reads', 'writes', 'destroys', 'unknown'] as const

/** The class of a tool, which a person decides. */
function ToolClassSelect({ tool: { server, original, class: now } }: { readonly tool: CatalogueEntry }) {
  const change = useMutation({
    mutationFn: (decided: CatalogueEntry['class']) =>
      callHost('changeEntry', { server, tool: original, class: decided }),
  })
  return (
    <select
      aria-label={`Class of ${original}`}
      value={change.variables ?? now}
      onChange={({ target }) => change.mutate(target.value as CatalogueEntry['class'])}
    >
      {classes.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
