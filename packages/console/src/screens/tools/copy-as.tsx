import { useQuery } from '@tanstack/react-query'
import { type CatalogueEntry, statusQuery } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import type { RunState } from '../../offers/use-run.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { asCommand, asCurl, asTestCase, asTypeScript } from './call-forms.ts'

/** The call as people use it elsewhere. */
export function CopyAs({
  tool,
  value,
  run,
}: {
  readonly tool: CatalogueEntry
  readonly value: Record<string, unknown>
  readonly run: RunState
}) {
  const mcp = useQuery(statusQuery).data?.mcp ?? location.origin
  const call = { server: tool.server, tool: tool.original, value, mcp }
  const result = run.state === 'done' ? run.answer.result : undefined
  return (
    <>
      <span className={styles.faint}>Copy as</span>
      <CopyButton text={asCommand(call)} label="Copy as command line">
        Command
      </CopyButton>
      <CopyButton text={asCurl(call)} label="Copy as curl">
        curl
      </CopyButton>
      <CopyButton text={asTypeScript(call)} label="Copy as TypeScript">
        TypeScript
      </CopyButton>
      <CopyButton text={asTestCase(call, result)} label="Copy as test case, for trunkline test">
        Test case
      </CopyButton>
    </>
  )
}
