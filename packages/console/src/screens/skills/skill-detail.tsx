import { Fragment, useState } from 'react'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { skillOf, versionOf } from '../../offers/skill.ts'
import { useRun } from '../../offers/use-run.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DescriptionList } from '../../parts/description-list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'

/** A skill of a server: what it says of itself, and its files, which are read when a person wants one. */
export function SkillDetail({ entry }: { readonly entry: CatalogueEntry }) {
  const { server, original, standing, why } = entry
  const { name, description, files, more } = skillOf(entry)
  const [file, setFile] = useState(original)
  const { run, start } = useRun(`skill ${server} ${original}`, (_id, { uri }, signal) =>
    callHost('readResource', { server, uri: String(uri) }, { signal }),
  )
  const read = (uri: string): void => {
    setFile(uri)
    void start({ uri })
  }
  return (
    <>
      <Panel title={<Said text={name} oneLine />}>
        <ScrollArea className={styles.description} label="Description">
          <Said text={description} />
        </ScrollArea>
        <DescriptionList>
          <dt>Server</dt>
          <dd>
            <Said text={server} oneLine />
          </dd>
          <dt>Address</dt>
          <dd>
            <Said text={original} oneLine />
          </dd>
          {more.map(([key, value]) => (
            <Fragment key={key}>
              <dt>
                <Said text={key} oneLine />
              </dt>
              <dd>
                <Said text={value} />
              </dd>
            </Fragment>
          ))}
          <dt>Version</dt>
          <dd>{files === 'dynamic' ? 'none: its files are not known beforehand' : <code>{versionOf(entry)}</code>}</dd>
          <dt>Standing</dt>
          <dd>
            <Badge tone={standing === 'usable' ? 'plain' : 'warn'}>{standing}</Badge>
          </dd>
        </DescriptionList>
        {why !== undefined && (
          <Notice tone="warn">
            <Said text={why} />
          </Notice>
        )}
        <ul className="buttons" aria-label="Files of this skill">
          {(files === 'dynamic' ? [{ path: 'SKILL.md', uri: original }] : files).map(({ path, uri }) => (
            <li key={uri}>
              <Button
                tone={uri === file ? 'primary' : 'plain'}
                disabled={run.state === 'running'}
                onClick={() => read(uri)}
              >
                Read <Said text={path} oneLine />
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
      <RunOutcome run={run} server={server} name={original} />
    </>
  )
}
