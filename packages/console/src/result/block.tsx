import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Said } from '../text/said.tsx'
import { BlobBlock } from './blob-block.tsx'
import { Media } from './media.tsx'
import styles from './result.module.css'
import { StructuredValue } from './structured-value.tsx'
import { TextBlock } from './text-block.tsx'

export interface BlockProps {
  readonly block: { readonly [key: string]: unknown }
  onOpenResource?(uri: string): void
  /** Address of the resource whose head is shown above. */
  readonly of?: string
}

/** One block of content, as what it is. */
export function Block({ block, of, onOpenResource }: BlockProps) {
  const { type, role } = block
  return (
    <div>
      {typeof role === 'string' && (
        <p className={styles.faint}>
          <Badge>{role}</Badge>
        </p>
      )}
      {type === 'text' && typeof block.text === 'string' && <TextBlock text={block.text} />}
      {(type === 'image' || type === 'audio') && typeof block.data === 'string' && (
        <Media kind={type} data={block.data} mimeType={String(block.mimeType)} />
      )}
      {type === 'resource_link' && <ResourceLink block={block} {...(onOpenResource && { onOpenResource })} />}
      {type === 'resource' && (
        <Embedded resource={block.resource as Record<string, unknown>} {...(of !== undefined && { of })} />
      )}
      {!['text', 'image', 'audio', 'resource_link', 'resource'].includes(String(type)) && (
        <StructuredValue value={block} />
      )}
    </div>
  )
}

function ResourceLink({ block: { uri, name, title, description }, onOpenResource }: BlockProps) {
  return (
    <div className={styles.link}>
      <div>
        <Said text={String(title ?? name ?? uri)} oneLine />
        <div className={styles.faint}>
          <Said text={String(uri)} oneLine />
        </div>
        {typeof description === 'string' && (
          <div className={styles.faint}>
            <Said text={description} />
          </div>
        )}
      </div>
      {onOpenResource && (
        <Button size="s" onClick={() => onOpenResource(String(uri))}>
          Read it
        </Button>
      )}
    </div>
  )
}

function Embedded({ resource, of }: { readonly resource: { readonly [key: string]: unknown }; readonly of?: string }) {
  const { uri, mimeType, text, blob } = resource ?? {}
  return (
    <div className={styles.embedded}>
      {uri !== of && (
        <p className={styles.faint}>
          <Said text={String(uri)} oneLine /> {typeof mimeType === 'string' && <Badge>{mimeType}</Badge>}
        </p>
      )}
      {typeof text === 'string' && <TextBlock text={text} {...(typeof mimeType === 'string' && { mimeType })} />}
      {typeof blob === 'string' && /^(?:image|audio)\//.test(String(mimeType)) && (
        <Media
          kind={String(mimeType).startsWith('image/') ? 'image' : 'audio'}
          data={blob}
          mimeType={String(mimeType)}
        />
      )}
      {typeof blob === 'string' && !/^(?:image|audio)\//.test(String(mimeType)) && (
        <BlobBlock data={blob} mimeType={String(mimeType ?? 'an unknown type')} uri={String(uri)} />
      )}
    </div>
  )
}
