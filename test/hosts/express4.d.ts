// Express 4 is installed under an alias beside Express 5; what the tests use of it has the same types.
declare module 'express4' {
  import express = require('express');
  export = express;
}
