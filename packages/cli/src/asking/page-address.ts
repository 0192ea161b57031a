import { domainToUnicode } from 'node:url'
import { type Line, styled } from '../output/span.ts'

/** Real address of a page, for a person who decides whether to visit it: its host, and anything misleading about it. */
export function pageLines(written: string): readonly Line[] {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return [styled('bad', '  it is not the address of a page; do not open it')]
  const { host, hostname, protocol } = url
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isOpen = protocol === 'http:' && !isLocal
  return [
    ['  on the host ', styled('strong', host), isOpen ? styled('warning', ', not encrypted') : ''],
    ...(hostname.includes('xn--') ? [styled('bad', alike(hostname))] : []),
    ...(url.username !== '' || url.password !== ''
      ? [styled('bad', '  what stands before the @ is no part of where it leads')]
      : []),
  ]
}

function alike(hostname: string): string {
  return `  it is shown elsewhere as ${domainToUnicode(hostname)}, whose letters may look like others`
}
