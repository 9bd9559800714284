import { Hono } from 'hono';

/** The peer wants an API; nobody asks it. */
export default new Hono();
