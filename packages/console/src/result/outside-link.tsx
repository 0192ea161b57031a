import { readAddress } from '../text/address.ts'
import { Said } from '../text/said.tsx'

/** Link from an untrusted source: it says where it really leads, and only a click goes there. */
export function OutsideLink({ text, address }: { readonly text: string; readonly address: string }) {
  const page = readAddress(address)
  if (!page) {
    return (
      <span>
        <Said text={text} /> (<Said text={address} />)
      </span>
    )
  }
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      <Said text={text} /> ({page.host})
    </a>
  )
}
