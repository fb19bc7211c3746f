// Included by hostile headers: a struct that no component can hold.
struct Branch {
    float length;
    struct { unsigned bent : 1; } shape;
    void *leaves;
};
