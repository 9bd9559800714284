import { Hono } from 'hono';

/** ponder requires an API; it is not used. */
export default new Hono();
