/** The way requests leave this machine, on Node. */
export interface NetworkOptions {
  /**
   * The proxy, as `http://name:password@proxy.example:3128`; '' for none. It is never used for this machine itself.
   * @default what `HTTPS_PROXY` and `HTTP_PROXY` name
   */
  readonly proxy?: string
  /** The hosts to reach without the proxy: `example.com` with all below it, `10.0.0.0/8`, `box:8080`, `*`. @default `NO_PROXY` */
  readonly noProxy?: string
  /** Certificates of authorities in PEM, trusted beside the usual ones and those of `NODE_EXTRA_CA_CERTS`. @default none */
  readonly ca?: string | readonly string[]
}
