import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../form/schema.ts'
import { callHost } from '../../host/call.ts'
import { type CatalogueEntry, statusQuery } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { CopyButton } from '../../parts/copy-button.tsx'
import { asCommand, asCurl, asTypeScript } from './call-forms.ts'

/** The call as people use it elsewhere. */
export function CopyAs({
  tool: { server, original },
  schema,
  value,
}: {
  readonly tool: CatalogueEntry
  readonly schema: Schema
  readonly value: Record<string, unknown>
}) {
  const mcp = useQuery(statusQuery).data?.mcp ?? location.origin
  const call = { server, tool: original, schema, value, mcp }
  const curl = async () => asCurl(await callHost('writtenCall', { server, tool: original, arguments: value }))
  return (
    <div className="buttons">
      <span className={styles.faint}>Copy this call as</span>
      <CopyButton text={asCommand(call)} label="Copy as command line">
        Command
      </CopyButton>
      <CopyButton text={curl} label="Copy as curl">
        curl
      </CopyButton>
      <CopyButton text={asTypeScript(call)} label="Copy as TypeScript">
        TypeScript
      </CopyButton>
    </div>
  )
}
