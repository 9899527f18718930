// Express 4 is installed under an alias beside Express 5. The parts that tests use have the same types.
declare module 'express4' {
  import express = require('express');
  export = express;
}
