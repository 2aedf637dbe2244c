import not_there
